"""The templates, one module for each shelf. Importing the modules registers the templates."""

from importlib import import_module
from pkgutil import iter_modules

from demo.pictures.registry import TEMPLATES

__all__ = ["TEMPLATES"]

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
