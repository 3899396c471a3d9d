#!/usr/bin/env python3
"""Finds the places where a source can be changed, and writes sources in which each change is made at run time, by its number.

Operators: + - * / % and their assignments become their opposites, comparisons move by one (of floating-point numbers: are reversed),
one side of && and || is left out, a condition or ! is reversed, a sign is dropped, and a call or assignment that is a statement is left out."""
import dataclasses
import json
import pathlib
import re
import shlex

from clang import cindex
from clang.cindex import CursorKind, TypeKind

BINARY = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "remainder", "==": "equal", "!=": "unequal",
          "<": "less", "<=": "atMost", ">": "greater", ">=": "atLeast",
          "+=": "addTo", "-=": "subtractFrom", "*=": "multiplyBy", "/=": "divideBy"}
REAL = {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE, TypeKind.DEPENDENT}
BODIES = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
          CursorKind.FUNCTION_TEMPLATE}
WRAPPERS = {CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR}
# Text and paths: their + and / have no opposite. What only saves time or memory has no effect that a test could see.
NOT_NUMBERS = re.compile(r"basic_string|path|char")
NO_EFFECT = re.compile(r"\b(reserve|shrink_to_fit|assertFailed)\s*\(")
NAMESPACE = "::attnscope::mutation::"


@dataclasses.dataclass(frozen=True)
class Mutant:
    number: int
    file: str  # relative to the source tree
    line: int
    change: str
    here: bool  # compiled for this processor, too

    def __str__(self):
        return f"{self.file}:{self.line}: {self.change}"


class Source:
    """One file, and what is inserted into it."""

    def __init__(self, path, name):
        self.name = name
        self.text = path.read_bytes()
        self.seen = set()
        self.edits = []  # (offset, 0 for what ends there or 1 for what begins there, order, bytes that are replaced, text, mutant)

    def replace(self, mutant, begin, end, text):
        self.edits.append((begin, 1, len(self.edits), end - begin, text, mutant))

    def wrap(self, mutant, begin, end, before, after):
        self.replace(mutant, begin, begin, before)
        self.edits.append((end, 0, -len(self.edits), 0, after, mutant))

    def written(self, without):
        """The file's bytes with all mutants but those numbers."""
        result, at = [], 0
        for offset, _, _, replaced, text, mutant in sorted(self.edits):
            if mutant not in without:
                result += [self.text[at:offset], text.encode()]
                at = offset + replaced
        return b"".join(result) + self.text[at:]


class Finder:
    """Walks translation units and collects mutants of the files in `folders`."""

    def __init__(self, root, folders):
        self.root, self.folders, self.here = pathlib.Path(root).resolve(), folders, True
        self.sources, self.mutants = {}, []

    def source(self, cursor):
        file = cursor.location.file
        if file is None:
            return None
        if file.name not in self.sources:
            path = pathlib.Path(file.name).resolve()
            name = str(path.relative_to(self.root)) if path.is_relative_to(self.root) else ""
            ours = any(name.startswith(folder + "/") for folder in self.folders) and not name.endswith((".cu", ".cuh"))
            # One file may be named in several ways.
            known = next((s for s in self.sources.values() if s and s.name == name), None)
            self.sources[file.name] = known or (Source(path, name) if ours else None)
        return self.sources[file.name]

    def number(self, source, offset, change):
        if (offset, change) in source.seen:
            return 0
        source.seen.add((offset, change))
        self.mutants.append(Mutant(len(self.mutants) + 1, source.name, source.text.count(b"\n", 0, offset) + 1, change, self.here))
        return len(self.mutants)

    def walk_declarations(self, cursor):
        for child in cursor.get_children():
            source = self.source(child)
            if child.kind == CursorKind.NAMESPACE or child.kind == CursorKind.LINKAGE_SPEC:
                # A namespace that a foreign header opens holds nothing of ours, for no header is included in the middle of one.
                if source:
                    self.walk_declarations(child)
            elif source is None:
                continue
            elif child.kind in (CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE,
                                CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION):
                self.walk_declarations(child)
            elif child.kind in BODIES:
                body = (child.extent.start.offset, child.extent.end.offset)
                if ("body", body) not in source.seen:
                    source.seen.add(("body", body))
                    for part in child.get_children():
                        if part.kind == CursorKind.COMPOUND_STMT:
                            self.walk(part, source)

    def walk(self, cursor, source):
        children = list(cursor.get_children())
        kind, begin, end = cursor.kind, cursor.extent.start.offset, cursor.extent.end.offset
        if kind == CursorKind.DECL_REF_EXPR:  # what is in it are arguments of templates, which the compiler computes
            return
        if kind == CursorKind.IF_STMT and re.match(rb"if\s+constexpr\b", source.text[begin:begin + 40]):
            children = children[1:]  # so is its condition
        if kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self.binary(cursor, children[0], children[1], source)
        elif kind == CursorKind.CALL_EXPR and cursor.spelling.startswith("operator") and len(children) == 3:
            self.binary(cursor, children[0], children[2], source)
        elif kind == CursorKind.UNARY_OPERATOR and children:
            sign = source.text[begin:begin + 1]
            if sign == b"-" and source.text[begin:begin + 2] != b"--" and not self.is_literal(children[0]):
                if number := self.number(source, begin, "-x becomes x"):
                    source.wrap(number, begin, end, "", ")")
                    source.replace(number, begin, begin + 1, f"{NAMESPACE}minus({number}, ")
            elif sign == b"!" and source.text[begin:begin + 2] != b"!=":  # that is C++20's reading of !=
                self.reverse(source, begin, end, "!x becomes x")
        elif kind == CursorKind.IF_STMT and children:
            self.condition(cursor, children[0], source)
        elif kind == CursorKind.COMPOUND_STMT:
            for child in children:
                self.statement(child, source)
        for child in children:
            if self.inside(child, begin, end):
                self.walk(child, source)

    @staticmethod
    def inside(child, begin, end):
        return child.extent.start.offset >= begin and child.extent.end.offset <= end

    @staticmethod
    def bare(cursor):
        while cursor.kind in WRAPPERS:
            children = list(cursor.get_children())
            if len(children) != 1:
                break
            cursor = children[0]
        return cursor

    def is_literal(self, cursor):
        return self.bare(cursor).kind in (CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL)

    def binary(self, cursor, left, right, source):
        a, b, c, d = left.extent.start.offset, left.extent.end.offset, right.extent.start.offset, right.extent.end.offset
        if not (cursor.extent.start.offset == a < b <= c < d == cursor.extent.end.offset):
            return  # from a macro
        between = source.text[b:c]
        token = re.fullmatch(rb"\s*([-+*/%=<>!&|]+)\s*", between)
        if not token:
            return
        token = token[1].decode()
        if token in ("&&", "||"):
            word, rest = ("||", "") if token == "&&" else ("&&", "!")
            for begin, end, change in ((a, b, f"left side of {token} left out"), (c, d, f"right side of {token} left out")):
                if number := self.number(source, begin, change):
                    source.wrap(number, begin, end, f"({rest}{NAMESPACE}is({number}) {word} (", "))")
        elif token in BINARY:
            types = [side.type.get_canonical() for side in (left, right)]
            comparison = token in ("==", "!=", "<", "<=", ">", ">=")
            if not comparison and any(NOT_NUMBERS.search(type_.spelling) or type_.kind == TypeKind.POINTER for type_ in types):
                return
            name = BINARY[token]
            if token in ("<", "<=", ">", ">=") and any(self.bare(side).type.get_canonical().kind in REAL for side in (left, right)):
                name += "Real"
            if number := self.number(source, a, f"{token} becomes {name}'s opposite" if name.endswith("Real") else f"{token} changed"):
                source.wrap(number, a, d, f"{NAMESPACE}{name}({number}, ", ")")
                source.replace(number, b, c, ", " + "\n" * between.count(b"\n"))

    def reverse(self, source, begin, end, change):
        if number := self.number(source, begin, change):
            source.wrap(number, begin, end, f"({NAMESPACE}is({number}) != static_cast<bool>(", "))")

    def condition(self, statement, condition, source):
        begin, end = condition.extent.start.offset, condition.extent.end.offset
        head = source.text[statement.extent.start.offset:begin]
        if not re.fullmatch(rb"if\s*\(\s*", head) or condition.kind == CursorKind.DECL_STMT or condition.kind.is_declaration():
            return
        inner = self.bare(condition)
        if inner.kind in (CursorKind.BINARY_OPERATOR, CursorKind.UNARY_OPERATOR) or inner.spelling.startswith("operator"):
            return  # has a mutant of its own
        if source.text[end:end + 1] == b")":
            self.reverse(source, begin, end, "condition reversed")

    def statement(self, child, source):
        inner = self.bare(child)
        begin, end = child.extent.start.offset, child.extent.end.offset
        text = source.text[begin:end]
        assignment = inner.kind == CursorKind.BINARY_OPERATOR and re.search(rb"[^=!<>]=[^=]", text)
        if (inner.kind == CursorKind.CALL_EXPR or assignment) and source.text[end:end + 1] == b";" and not NO_EFFECT.search(text.decode()):
            if number := self.number(source, begin, "statement left out"):
                source.replace(number, begin, begin, f"if (!{NAMESPACE}is({number})) ")


def instructions():
    """The processor's extensions, as GCC's options name them, without hyphens."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return frozenset(next((line for line in lines if line.startswith("flags")), "").replace("_", "").split())


def runs_here(command):
    wanted = {word[2:].replace("-", "") for word in shlex.split(command) if re.match(r"-m(avx|fma|amx)", word)}
    return wanted <= instructions()


def find(root, compile_commands, folders):
    """A Finder that has seen every translation unit whose sources are in `folders`, those for other processors last."""
    finder = Finder(root, folders)
    index = cindex.Index.create()
    units = [entry for entry in json.loads(pathlib.Path(compile_commands).read_text())
             if "/tests/" not in entry["file"] and any(f"/{folder}/" in entry["file"] for folder in folders)]
    for entry in sorted(units, key=lambda entry: not runs_here(entry["command"])):
        finder.here = runs_here(entry["command"])
        words = shlex.split(entry["command"])
        arguments = [word for word in words if word.startswith(("-I", "-D", "-std", "-m"))]
        arguments += ["-isystem" + words[i + 1] for i, word in enumerate(words) if word == "-isystem"]
        unit = index.parse(entry["file"], args=arguments + ["-w"])
        errors = [d for d in unit.diagnostics if d.severity >= cindex.Diagnostic.Error]
        if errors:
            print(f"{entry['file']}: {len(errors)} errors, first: {errors[0]}")
        finder.walk_declarations(unit.cursor)
    return finder
