"""The WSGI entry point of the production server."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import resolve

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.prod")
application = get_wsgi_application()
# Load all views now, and exclude the loaded program from garbage collection. Otherwise a full
# collection examines it for half a second, stops all threads of the process, and on SQLite keeps a
# write transaction open meanwhile.
resolve("/api/Order")
gc.collect()
gc.freeze()

from apps.common.background.runner import ensure_runner

ensure_runner()
