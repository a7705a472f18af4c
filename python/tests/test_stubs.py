"""The stubs of the native module, and the types of options, are those of what is called."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import get_type_hints

import pytest

import hedgerow
from hedgerow import _hedgerow, _typed

STUB = ast.parse(Path(_hedgerow.__file__).with_name("_hedgerow.pyi").read_text(encoding="utf-8"))
CLASSES = [node for node in STUB.body if isinstance(node, ast.ClassDef)]


def functions(body: list[ast.stmt]) -> dict[str, ast.FunctionDef]:
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def written(node: ast.FunctionDef) -> list[tuple[str, bool]]:
    """The parameters of a function in the stub: names, and whether they can be left out."""
    arguments = node.args.posonlyargs + node.args.args
    assert not (node.args.kwonlyargs or node.args.vararg or node.args.kwarg)
    required = len(arguments) - len(node.args.defaults)
    return [(argument.arg, place >= required) for place, argument in enumerate(arguments)]


def built(function: object) -> list[tuple[str, bool]]:
    """The same of a function of the module."""
    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return [(one.name, one.default is not inspect.Parameter.empty) for one in parameters]


@pytest.mark.parametrize("name", functions(STUB.body))
def test_a_function_has_the_parameters_of_its_stub(name: str) -> None:
    assert built(getattr(_hedgerow, name)) == written(functions(STUB.body)[name])


@pytest.mark.parametrize("stub", CLASSES, ids=[node.name for node in CLASSES])
def test_a_class_has_the_methods_of_its_stub(stub: ast.ClassDef) -> None:
    of = getattr(_hedgerow, stub.name)
    stubs = functions(stub.body)
    own = {name for name in vars(of) if not name.startswith("__")}
    assert own == {name for name in stubs if not name.startswith("__")}
    for name, node in stubs.items():
        if any(isinstance(one, ast.Name) and one.id == "property" for one in node.decorator_list):
            assert inspect.isgetsetdescriptor(getattr(of, name))
        else:
            assert built(getattr(of, name)) == written(node), name


def test_everything_in_the_module_has_a_stub() -> None:
    known = {*functions(STUB.body), *(node.name for node in CLASSES), "__version__"}
    names = {name for name in vars(_hedgerow) if not name.startswith("_")}
    assert names | {"__version__"} == known


@pytest.mark.parametrize(
    ("function", "of_table", "of_path"),
    [
        (hedgerow.anonymize, _typed.Options, _typed.OptionsOfFile),
        (hedgerow.apply, _typed.OptionsOfApplied, _typed.OptionsOfAppliedFile),
    ],
)
def test_the_types_of_options_are_those_of_the_functions(
    function: object, of_table: type, of_path: type
) -> None:
    from hedgerow import _options, applying

    parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    own = {one.name for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY}
    further = set(applying._OF_READING) if function is hedgerow.apply else set()
    required = {"quasi", "k", "output"}
    assert set(get_type_hints(of_table)) == (own | further) - required
    of_files = {*_options.OF_INPUTS, *_options.OF_RELEASES, "force"}
    if function is hedgerow.anonymize:
        of_files |= set(_options.OF_OUTPUTS)
    assert set(get_type_hints(of_path)) == (own | further | of_files) - required
