#!/usr/bin/env python3
"""Writes the tables of tests/data/parquet with pyarrow, and hub.parquet with Hugging Face's library `datasets`.

    write_parquet_samples.py FOLDER

What is in them follows from the row's number, so that tst_parquet.cpp knows it without a list.
"""
import json
import pathlib
import sys

import datasets
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 7
NAMES = ["crane", "owl", "wren"]
FEATURES = {"image": {"_type": "Image"}, "label": {"names": NAMES, "_type": "ClassLabel"}}
BYTES_AND_PATH = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def image(row):
    """Not an image, except for the three bytes by which a JPEG is recognised."""
    return b"\xff\xd8\xff" + bytes((31 * row + 7 * at) % 256 for at in range(20 + 13 * row))


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = range(ROWS)

    def write(name, columns, schema, **options):
        """Groups of three rows, and pages of one where the pages' size allows it."""
        table = pa.table(columns, schema=pa.schema(schema))
        options = {"store_schema": False, "write_statistics": False, "compression": "none", **options}
        with pq.ParquetWriter(folder / (name + ".parquet"), table.schema, write_batch_size=1, data_page_size=100,
                              **options) as writer:
            writer.write_table(table, row_group_size=3)
            writer.add_key_value_metadata({"huggingface": json.dumps({"info": {"features": FEATURES}})})

    def images(paths):
        return [{"bytes": image(row), "path": paths[row]} for row in rows]

    labels = [row % 3 for row in rows]
    # Row 2 has no image, row 5 no label.
    holes = {"image": [None if row == 2 else {"bytes": image(row), "path": None} for row in rows],
             "label": [None if row == 5 else row % 3 for row in rows]}
    schema = [("image", BYTES_AND_PATH), ("label", pa.int64())]
    for codec in ["none", "snappy", "zstd", "gzip"]:
        for version in ["1.0", "2.0"]:
            for dictionary in [True, False]:
                write(f"{codec}_v{version[0]}_{'dictionary' if dictionary else 'plain'}", holes, schema, compression=codec,
                      data_page_version=version, use_dictionary=dictionary)
    write("named", {"image": images([f"birds/{row}.jpg" for row in rows]), "label": labels}, schema, store_schema=True,
          write_statistics=True)
    write("same_names", {"image": images(["a.jpg" for row in rows]), "label": labels}, schema)
    write("plain_columns", {"key": [str(row) for row in rows], "jpg": [image(row) for row in rows], "cls": labels},
          [("key", pa.string()), pa.field("jpg", pa.binary(), nullable=False), pa.field("cls", pa.int32(), nullable=False)])
    write("text_labels", {"image": images([None] * ROWS), "label": [NAMES[label] for label in labels]},
          [("image", BYTES_AND_PATH), ("label", pa.string())])
    write("test_set", {"image": images([None] * ROWS), "label": [-1] * ROWS}, schema)
    write("no_labels", {"image": images([None] * ROWS)}, schema[:1])
    write("no_rows", {"image": [], "label": []}, schema)
    write("list_of_images", {"image": [[image(row)] for row in rows], "label": labels},
          [("image", pa.list_(pa.binary())), ("label", pa.int64())])
    write("texts", {"text": ["a"] * ROWS, "label": labels}, [("text", pa.string()), ("label", pa.int64())])
    write("fractions", {"image": images([None] * ROWS), "label": [0.5] * ROWS},
          [("image", BYTES_AND_PATH), ("label", pa.float64())])
    write("brotli", {"image": images([None] * ROWS), "label": labels}, schema, compression="brotli")
    write("delta", {"image": images([None] * ROWS), "label": labels}, schema, use_dictionary=False,
          column_encoding={"image.bytes": "DELTA_LENGTH_BYTE_ARRAY"})

    features = datasets.Features({"image": datasets.Image(decode=False), "label": datasets.ClassLabel(names=NAMES)})
    whole = datasets.Dataset.from_dict({"image": images([f"{row}.jpg" for row in rows]), "label": labels}, features=features)
    whole.to_parquet(folder / "hub.parquet")


main()
