"""The component as a Python module: one function for each of its own, with dictionaries for records.

A merchant's program can take this file as it is.
"""

from pathlib import Path
from typing import Any

from wasmtime import Engine, Store
from wasmtime.component import Component, Linker, Record, Variant


class Settlekit:
    """Calls functions of the component by interface and name: `core.calls("validate", "ListChains", "{}")`."""

    def __init__(self, path: Path) -> None:
        engine = Engine()
        self.component = Component.from_file(engine, path)
        self.engine = engine
        self.store = Store(engine)
        # An empty linker: the component imports nothing.
        self.instance = Linker(engine).instantiate(self.store, self.component)
        self.functions: dict[tuple[str, str], Any] = {}

    def calls(self, name: str, *arguments: Any) -> Any:
        return self._call("calls", name, arguments)

    def values(self, name: str, *arguments: Any) -> Any:
        return self._call("values", name, arguments)

    def webhooks(self, name: str, *arguments: Any) -> Any:
        return self._call("webhooks", name, arguments)

    def _call(self, interface: str, name: str, arguments: tuple[Any, ...]) -> Any:
        """The result, or an exception with the error."""
        function = self.functions.get((interface, name))
        if function is None:
            exported = self.instance.get_export_index(self.store, f"settlekit:core/{interface}@0.1.0")
            function = self.instance.get_func(self.store, self.instance.get_export_index(self.store, name, exported))
            self.functions[interface, name] = function
        result = function(self.store, *map(to_component, arguments))
        # Two records are told apart by a tag, other results by their type.
        if isinstance(result, Variant):
            failed, result = result.tag == "err", result.payload
        else:
            failed = isinstance(result, Record) and name != "read-error"
        if failed:
            raise SettlekitError(from_component(result))
        return from_component(result)


class SettlekitError(Exception):
    """An error of the component; `error` has the fields of its record."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.error = error


def to_component(value: Any) -> Any:
    if isinstance(value, dict):
        record = Record()
        for name, field in value.items():
            setattr(record, name, to_component(field))
        return record
    return value


def from_component(value: Any) -> Any:
    if isinstance(value, Record):
        return {name: from_component(field) for name, field in vars(value).items()}
    if isinstance(value, list):
        return [from_component(item) for item in value]
    return value
