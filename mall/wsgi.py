"""The WSGI entry point of the production server."""

import gc
import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application
from django.urls import resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.prod")
application = get_wsgi_application()

from apps.catalog.indexing.text import get_sound_prefix, load_tokenizer
from apps.common.background.runner import ensure_runner

# Load all views now, with what other processes load at the first use, and exclude the loaded
# program from garbage collection. Otherwise a full collection examines it for half a second, stops
# all threads of the process, and on SQLite keeps a write transaction open meanwhile.
resolve("/api/Order")
load_tokenizer()
get_sound_prefix("笔")
import_module("fpdf")
gc.collect()
gc.freeze()

ensure_runner()
