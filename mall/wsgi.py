"""The WSGI entry point of the production server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.prod")
application = get_wsgi_application()

from apps.common.background.runner import ensure_runner

ensure_runner()
