"""The Celery application: workers deliver the outbox, beat keeps the clock. Only used where CELERY_BROKER_URL is set."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.prod")

app = Celery("mall")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.broker_connection_timeout = 2
app.conf.broker_connection_retry_on_startup = True
# A publisher never waits long for a broker that is away: beat delivers what a lost nudge left.
app.conf.broker_transport_options = {"socket_connect_timeout": 2, "socket_timeout": 5}
app.conf.beat_schedule = {
    "outbox": {"task": "common.outbox_deliver", "schedule": 10.0},
    "periodic-jobs": {"task": "common.run_due_jobs", "schedule": 30.0},
}
app.autodiscover_tasks()
