"""The types of the API: dataclasses of answers, typed dictionaries of requests."""

from parley.gen import types as _types
from parley.gen.types import *  # noqa: F403

__all__ = list(_types.__all__)
