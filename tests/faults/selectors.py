"""Selects a node of a module's syntax tree by qualified name, kind and what it mentions, and replaces it."""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Change = Callable[[ast.AST], ast.AST]
"""The node to put in place of the selected one."""


@dataclass(frozen=True, slots=True)
class Selector:
    """The innermost node of a kind, in one function, class or module, that mentions all of some words.

    `place` is `package.module:Class.function`, or `package.module:` for the module. A word is a name, an attribute, an
    argument, or a part of a text.
    """

    place: str
    kind: type[ast.AST]
    words: tuple[str, ...]

    @property
    def file(self) -> Path:
        """The module's path in the repository."""
        return Path(self.place.partition(":")[0].replace(".", "/") + ".py")

    def find(self, tree: ast.Module) -> ast.AST:
        """The one selected node; LookupError if the place is gone, or no or several nodes match."""
        scope: ast.AST = tree
        for name in filter(None, self.place.partition(":")[2].split(".")):
            found = [node for node in _definitions(scope) if node.name == name]
            if len(found) != 1:
                raise LookupError(f"{self.place}: {name} is defined {len(found)} times")
            scope = found[0]
        matching = [node for node in ast.walk(scope) if self._matches(node)]
        outer = {id(node) for node in matching for inner in matching if inner is not node and _contains(node, inner)}
        innermost = [node for node in matching if id(node) not in outer]
        if len(innermost) != 1:
            raise LookupError(f"{self.place}: {len(innermost)} nodes {self.kind.__name__} mention {self.words}")
        return innermost[0]

    def _matches(self, node: ast.AST) -> bool:
        return isinstance(node, self.kind) and all(
            any(_mentions(part, word) for part in ast.walk(node)) for word in self.words
        )


def changed(source: str, selector: Selector, change: Change) -> str:
    """The source of the module with the selected node replaced; comments and layout are not kept."""
    tree = ast.parse(source)
    found = selector.find(tree)
    return ast.unparse(ast.fix_missing_locations(_Replace(found, change(copy.deepcopy(found))).visit(tree)))


def constant(value: object) -> Change:
    """Puts this value in place of an expression."""
    return lambda _: ast.Constant(value)  # type: ignore[arg-type]


def rewritten(template: str) -> Change:
    """Puts other code in place of an expression or a statement; `{node}` in it is the code of the selected node."""

    def change(node: ast.AST) -> ast.AST:
        (statement,) = ast.parse(template.replace("{node}", ast.unparse(node))).body
        return statement.value if isinstance(node, ast.expr) and isinstance(statement, ast.Expr) else statement

    return change


def condition(value: bool) -> Change:
    """Makes an `if` always or never true, and so what a conditional expression chooses."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.If | ast.IfExp)
        node.test = ast.Constant(value)
        return node

    return change


def words(old: str, new: str) -> Change:
    """Replaces a part of a text, which must be in it once."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count(old) == 1
        return ast.Constant(node.value.replace(old, new))

    return change


def without(word: str) -> Change:
    """Removes the operand that mentions the word: of `and`, `or`, `|` or a tuple."""

    def change(node: ast.AST) -> ast.AST:
        if isinstance(node, ast.BinOp):
            return node.left if _contains_word(node.right, word) else node.right
        assert isinstance(node, ast.BoolOp | ast.Tuple)
        operands = node.values if isinstance(node, ast.BoolOp) else node.elts
        kept = [operand for operand in operands if not _contains_word(operand, word)]
        assert len(kept) == len(operands) - 1
        operands[:] = kept
        return node if len(kept) > 1 or isinstance(node, ast.Tuple) else kept[0]

    return change


class _Replace(ast.NodeTransformer):
    def __init__(self, found: ast.AST, new: ast.AST) -> None:
        self._found, self._new = found, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._found else self.generic_visit(node)


def _definitions(scope: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node


def _contains(node: ast.AST, inner: ast.AST) -> bool:
    return any(part is inner for part in ast.walk(node))


def _contains_word(node: ast.AST, word: str) -> bool:
    return any(_mentions(part, word) for part in ast.walk(node))


def _mentions(node: ast.AST, word: str) -> bool:
    match node:
        case ast.Constant(value=str() as text):
            return word in text
        case ast.Constant(value=bytes() as data):
            return word.encode() in data
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=name) | ast.arg(arg=name):
            return name == word
    return False
