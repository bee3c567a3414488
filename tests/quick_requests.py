"""Requests of the test client, answered in less time with the same result.

Half of a refusal's time goes into what Django prepares for each client anew, lists for a page of
DEBUG, or looks up again and again.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from django.conf import LazySettings
from django.contrib.sessions.backends import base as sessions
from django.core.signals import setting_changed
from django.middleware import csrf
from django.template.context import BaseContext
from django.templatetags.static import StaticNode
from django.test.client import ClientHandler
from django.urls import URLResolver


def answer_quickly() -> None:
    """Answer every request of a test client in this way, from now on."""
    ClientHandler.load_middleware = load_middleware
    LazySettings.__getattribute__ = object.__getattribute__  # type: ignore[method-assign]
    BaseContext.__copy__ = copied
    StaticNode.handle_simple = staticmethod(address_of_static)
    # Only a page of DEBUG lists which addresses were tried.
    URLResolver._extend_tried = staticmethod(lambda *tried: None)
    csrf.get_random_string = sessions.get_random_string = random_string
    setting_changed.connect(_forget, dispatch_uid="quick requests")


_handlers: dict[str, ClientHandler] = {}
_load_middleware = ClientHandler.load_middleware
_handle_simple = StaticNode.handle_simple


def load_middleware(handler: ClientHandler, is_async: bool = False) -> None:
    """Take the middleware of the first client, as it is the same for each."""
    if "first" not in _handlers:
        _load_middleware(handler, is_async)
        _handlers["first"] = handler
    handler._middleware_chain = _handlers["first"]._middleware_chain


@cache
def address_of_static(path: str) -> str:
    return _handle_simple(path)


def _forget(**change: Any) -> None:
    _handlers.clear()
    address_of_static.cache_clear()


def copied(context: BaseContext) -> BaseContext:
    """Copy by attributes."""
    copy = object.__new__(type(context))
    copy.__dict__.update(context.__dict__)
    copy.dicts = context.dicts[:]
    return copy


def random_string(length: int, allowed_chars: str) -> str:
    """Return so many characters with one call of the system."""
    return "".join(allowed_chars[byte % len(allowed_chars)] for byte in os.urandom(length))
