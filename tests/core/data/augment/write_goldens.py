"""Writes tests/data/augment/operations.json: what Pillow makes of a small picture, for each operation of RandAugment.

Needs Pillow. The operations are spelled out as timm 1.0 calls Pillow for them.
"""
import json
import pathlib

from PIL import Image, ImageEnhance, ImageOps, __version__

WIDTH, HEIGHT = 19, 14
FILL = (124, 116, 104)


def picture():
    """A slope with noise on it, the same in every run; one channel does not reach 0 and 255."""
    values, state = bytearray(), 1
    for y in range(HEIGHT):
        for x in range(WIDTH):
            for c in range(3):
                state = (state * 1103515245 + 12345) % 2**31
                noise = (state >> 16) % (90 if c else 200)
                values.append(min(255, (x * 7 + y * 5 if c else 20) + noise))
    return Image.frombytes("RGB", (WIDTH, HEIGHT), bytes(values))


def add(image, amount):
    return image.point([min(255, i + amount) if i < 128 else i for i in range(256)] * 3)


def affine(image, matrix, resample):
    return image.transform(image.size, Image.AFFINE, matrix, resample=resample, fillcolor=FILL)


def cases():
    image = picture()
    yield "AutoContrast", 0, "bicubic", ImageOps.autocontrast(image)
    yield "Equalise", 0, "bicubic", ImageOps.equalize(image)
    yield "Invert", 0, "bicubic", ImageOps.invert(image)
    for bits in (1, 4):
        yield "Posterise", bits, "bicubic", ImageOps.posterize(image, bits)
    for threshold in (26, 128, 256):
        yield "Solarise", threshold, "bicubic", ImageOps.solarize(image, threshold)
    yield "SolariseAdd", 99, "bicubic", add(image, 99)
    for factor in (0.1, 0.65, 1.0, 1.81):
        yield "Colour", factor, "bicubic", ImageEnhance.Color(image).enhance(factor)
        yield "Contrast", factor, "bicubic", ImageEnhance.Contrast(image).enhance(factor)
        yield "Brightness", factor, "bicubic", ImageEnhance.Brightness(image).enhance(factor)
        yield "Sharpness", factor, "bicubic", ImageEnhance.Sharpness(image).enhance(factor)
    for name, resample in (("bicubic", Image.BICUBIC), ("bilinear", Image.BILINEAR)):
        for amount in (-27.3, 12.0, 30.0):
            yield "Rotate", amount, name, image.rotate(amount, resample=resample, fillcolor=FILL)
        for amount in (-0.27, 0.13):
            yield "ShearX", amount, name, affine(image, (1, amount, 0, 0, 1, 0), resample)
            yield "ShearY", amount, name, affine(image, (1, 0, 0, amount, 1, 0), resample)
        for amount in (-0.405, 0.21):
            yield "TranslateX", amount, name, affine(image, (1, 0, amount * WIDTH, 0, 1, 0), resample)
            yield "TranslateY", amount, name, affine(image, (1, 0, 0, 0, 1, amount * HEIGHT), resample)


def main():
    folder = pathlib.Path(__file__).parents[2] / "data" / "augment"
    rows = [{"operation": name, "amount": amount, "filter": kernel, "pixels": image.tobytes().hex()}
            for name, amount, kernel, image in cases()]
    content = {"pillow": __version__, "width": WIDTH, "height": HEIGHT, "fill": FILL, "picture": picture().tobytes().hex()}
    lines = ",\n".join(json.dumps(row) for row in rows)
    text = json.dumps(content)[:-1] + ', "cases": [\n' + lines + "\n]}\n"
    (folder / "operations.json").write_text(text)


main()
