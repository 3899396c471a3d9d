#!/usr/bin/env python3
"""The words of docs/glossary.md and of the field as a test: words.py TREE prints each identifier, comment, document and translatable text
that uses a word forbidden by words.txt, with what to write instead; the exit code is 1 where there is one."""
import pathlib
import re
import sys

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<skip>\#\s*include[^\n]*|R"(\w*)\(.*?\)\3"|\'(?:\\.|[^\'\\\n])*\'|\d[\w.\']*)'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<name>[A-Za-z_]\w*)|(?P<other>\S)', re.S)
TRANSLATIONS = {"tr", "translate", "QT_TR_NOOP", "QT_TRANSLATE_NOOP", "ATTN_TEXT"}
CODE = re.compile(r"::|_|^--|/.*\..|[a-z][A-Z]")


def name_words(name):
    return [word.lower() for word in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", name)]


def prose(text, line):
    """(word, line) of a text; "" where a phrase ends: at code and punctuation other than hyphens and apostrophes."""
    words = []
    text = re.sub(r"`[^`]*`?", lambda span: " \0" + "\n" * span.group().count("\n") + "\0 ", text)
    for offset, content in enumerate(text.split("\n")):
        for token in content.split():
            parts = [""] if CODE.search(token) else re.findall(r"[A-Za-z]+|[^A-Za-z'*-]", token)
            words += [(part.lower() if part.isalpha() and part.isascii() else "", line + offset) for part in parts]
    return words


def source(text):
    """(scope, words, identifier); comments on consecutive lines are one text."""
    seen, calls, last, comment, comment_line = set(), [], "", "", 0
    for token in TOKEN.finditer(text):
        kind, found = token.lastgroup, token.group()
        line = text.count("\n", 0, token.start()) + 1
        if kind == "comment":
            own_line = not text[text.rfind("\n", 0, token.start()) + 1:token.start()].strip()
            if comment and not own_line:
                yield "comments", prose(comment, comment_line), ""
                comment = ""
            if not comment:
                comment_line = line
            comment += "\n" * (line - comment_line - comment.count("\n")) + re.sub(r"^[/<! ]+|^/\*|\*/$", "", found)
            continue
        if comment:
            yield "comments", prose(comment, comment_line), ""
            comment = ""
        if kind == "name":
            last = found
            if found not in seen:
                seen.add(found)
                yield "identifiers", [(word, line) for word in name_words(found)], found
        elif kind == "string" and calls and calls[-1] in TRANSLATIONS:
            yield "strings", prose(re.sub(r"\\.", " ", found[1:-1]), line), ""
        elif kind == "other":
            if found == "(":
                calls.append(last)
            elif found == ")" and calls:
                calls.pop()
            last = ""
    if comment:
        yield "comments", prose(comment, comment_line), ""


def document(text):
    text = re.sub(r"^```.*?^```", lambda block: "." + "\n" * block.group().count("\n") + ".", text, flags=re.S | re.M)
    text = re.sub(r"(^|\n\s*\n)((?:    [^\n]*\n|\s*\n)+)", lambda block: ".\n" + "\n" * (block.group().count("\n") - 1) + ".", text)
    yield "docs", prose(re.sub(r"\]\([^)]*\)", "] ", re.sub(r"\n[ \t]*\n", "\n.\n", text)), 1), ""


def matches(pattern, words, at):
    return at + len(pattern) <= len(words) and all(position.fullmatch(word) for position, (word, _) in zip(pattern, words[at:]))


def rules(file):
    allowed, forbidden = [], []
    for line in file.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        text, scopes, places, advice = (part.strip() for part in line.removeprefix("allow ").split(";"))
        pattern = [re.compile("|".join(re.escape(word).replace(r"\*", ".*") for word in position.split("|"))) for position in text.split()]
        scopes = {"identifiers", "comments", "docs", "strings"} if scopes == "all" else set(scopes.split())
        (allowed if line.startswith("allow ") else forbidden).append((pattern, scopes, "" if places == "*" else tuple(places.split()), advice))
    return allowed, forbidden


def hits(path, texts, allowed, forbidden):
    for scope, words, identifier in texts:
        def here(rule):
            return scope in rule[1] and path.startswith(rule[2])
        exceptions = [rule[0] for rule in allowed if here(rule)]
        for pattern, _, _, advice in filter(here, forbidden):
            for at in range(len(words)):
                if matches(pattern, words, at) and not any(
                        matches(other, words, begin) for other in exceptions
                        for begin in range(max(0, at + len(pattern) - len(other)), at + 1)):
                    found = identifier or " ".join(word for word, _ in words[at:at + len(pattern)])
                    yield f'{path}:{words[at][1]}: {scope}: "{found}": write {advice}'
                    if identifier:
                        break


def main(root):
    allowed, forbidden = rules(root / "tests/words/words.txt")
    files = [root / "README.md"]
    for top in ("core", "models", "ui", "app", "docs"):
        files += sorted(file for file in (root / top).rglob("*") if file.suffix in {".h", ".cpp", ".cu", ".cuh", ".md"})
    found = []
    for file in files:
        path, text = file.relative_to(root).as_posix(), file.read_text(errors="replace")
        texts = [("identifiers", [(word, 1) for word in name_words(path.rsplit(".", 1)[0])], path)]
        found += hits(path, texts + list(document(text) if file.suffix == ".md" else source(text)), allowed, forbidden)
    print("\n".join(found + [f"{len(files)} files, {len(found)} hits"]))
    return 1 if found or len(files) <= 100 else 0  # fewer files: this is not the tree


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
