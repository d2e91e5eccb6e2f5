"""Reads answers into dataclasses that keep unknown fields, and writes the bodies of requests."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Callable, Dict, Generic, List, NamedTuple, Optional, Tuple, Type, TypeVar, Union, overload

T = TypeVar("T")
A = TypeVar("A", bound="Model")
B = TypeVar("B", bound="Model")
Item = TypeVar("Item")
Meta = TypeVar("Meta")
Decoder = Callable[[Any], T]


class NotGiven:
    """The default of an argument that is left out. ``None`` is sent as null."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


@dataclass(frozen=True)
class Answer:
    """What an answer has beside its data."""

    status: int
    etag: Optional[str]
    """For ``if_match``, if the answer shows one resource."""
    request_id: Optional[str]
    """The id under which the service has logged the call."""
    is_replayed: bool
    """Whether this is the stored answer of an earlier call with the same idempotency key."""


@dataclass(frozen=True)
class Page(Generic[Item, Meta]):
    """One page of a list. ``meta`` is None where the list has one page only."""

    data: List[Item]
    meta: Meta
    answer: Answer


class Model:
    """An object of an answer. ``extra`` has the fields that this version of the package does not know."""

    extra: Dict[str, Any]
    _answer: Optional[Answer] = None

    @property
    def answer(self) -> Answer:
        """ETag and request id of the answer. Raises AttributeError for an object inside another one."""
        if self._answer is None:
            raise AttributeError("only the result of a call has an answer")
        return self._answer

    def to_dict(self) -> Dict[str, Any]:
        """Returns the object as the API wrote it, with unknown fields."""
        own = {one.name: Shape(one.name, None, False) for one in fields(self) if one.name != "extra"}
        known = {
            name: _plain(getattr(self, shape.attribute))
            for name, shape in _shapes.get(type(self), own).items()
            if shape.is_required or getattr(self, shape.attribute) is not None
        }
        return {**known, **self.extra}


class Event(Model):
    """The body of a webhook. ``isinstance`` tells which event it is."""

    id: str
    """All attempts of an event have one id. Receivers may ignore duplicates."""
    sent_at: datetime
    """When this attempt was sent."""
    data: Any


class Shape(NamedTuple):
    """Where a field of JSON goes."""

    attribute: str
    decode: Optional[Decoder[Any]]
    is_required: bool


_shapes: Dict[type, Dict[str, Shape]] = {}
_inputs: Dict[str, Dict[str, Tuple[str, Optional[str]]]] = {}


def register(cls: type, fields: Dict[str, Tuple[str, Optional[Decoder[Any]], bool]]) -> None:
    _shapes[cls] = {name: Shape(*field) for name, field in fields.items()}


def register_inputs(inputs: Dict[str, Dict[str, Tuple[str, Optional[str]]]]) -> None:
    _inputs.update(inputs)


def model(cls: Type[A]) -> Decoder[A]:
    """Returns a reader of objects. Anything that is no object is returned as it is: an answer never raises."""

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        shapes = _shapes[cls]
        given = {
            shape.attribute: shape.decode(value.get(name)) if shape.decode else value.get(name)
            for name, shape in shapes.items()
        }
        return cls(**given, extra={name: one for name, one in value.items() if name not in shapes})  # type: ignore[call-arg]

    return decode


def many(decode: Decoder[T]) -> Decoder[List[T]]:
    def read(value: Any) -> Any:
        return [decode(one) for one in value] if isinstance(value, list) else value

    return read


def mapped(decode: Decoder[T]) -> Decoder[Dict[str, T]]:
    def read(value: Any) -> Any:
        return {key: decode(one) for key, one in value.items()} if isinstance(value, dict) else value

    return read


def optional(decode: Decoder[T]) -> Decoder[Optional[T]]:
    return lambda value: None if value is None else decode(value)


def chain(*decoders: Decoder[Any]) -> Decoder[Any]:
    """Returns a reader of lists, maps or objects: each reader leaves alone what is not of its kind."""

    def decode(value: Any) -> Any:
        for one in decoders:
            value = one(value)
        return value

    return decode


def nothing(_: Any) -> None:
    return None


@overload
def either(__one: Type[A], __other: Type[B]) -> Decoder[Union[A, B]]: ...
@overload
def either(*classes: type) -> Decoder[Any]: ...
def either(*classes: type) -> Decoder[Any]:
    """Returns a reader of the class with the most required fields that the object has; a dictionary if none fits."""

    def decode(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        required = [
            [name for name, shape in _shapes[cls].items() if shape.is_required and name in value] for cls in classes
        ]
        complete = [
            (len(names), cls)
            for names, cls in zip(required, classes)
            if len(names) == sum(shape.is_required for shape in _shapes[cls].values())
        ]
        if not complete:
            return value
        return model(max(complete, key=lambda one: one[0])[1])(value)

    return decode


def encode(value: Any, name: Optional[str]) -> Any:
    """Returns the JSON value of an argument. Raises TypeError for a key that its type does not have."""
    if isinstance(value, Model):
        return value.to_dict()
    if name is None or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [encode(one, name) for one in value]
    if not isinstance(value, dict):
        raise TypeError(f"{name} must be a dictionary, not {type(value).__name__}")
    options = [_inputs[one] for one in name.split("|")]
    fields = next((one for one in options if all(key in one for key in value)), options[0])
    unknown = [key for key in value if key not in fields]
    if unknown:
        raise TypeError(f'"{unknown[0]}" is no field of {name} ({", ".join(fields)})')
    return {
        fields[key][0]: encode(one, fields[key][1]) for key, one in value.items() if not isinstance(one, NotGiven)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value
