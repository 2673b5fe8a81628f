"""The Celery application, used only if CELERY_BROKER_URL is set. Workers deliver the outbox's
queues and beat triggers periodic jobs.

A lost worker or broker loses no work: all work is in the outbox, and a task is only a signal.
"""

import os

import kombu
from celery import Celery

from apps.common.background.queues import JOBS_TASK, QUEUES, VISIBLE_AGAIN_SECONDS, Queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mall.settings.prod")
TICK_SECONDS = 10.0

app = Celery("mall")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.broker_connection_timeout = 2
app.conf.broker_connection_retry_on_startup = True
# Try an unreachable broker only once (kombu's default is six more seconds): if a signal is lost,
# beat delivers the message later.
app.conf.broker_transport_options = {
    "max_retries": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 5,
    "visibility_timeout": VISIBLE_AGAIN_SECONDS,
}
app.conf.task_default_queue = Queue.INTERACTIVE.value
# A worker without --queues processes all queues.
app.conf.task_queues = [kombu.Queue(queue.value) for queue in Queue]
app.conf.task_routes = {rule.task: {"queue": queue.value} for queue, rule in QUEUES.items()}
# A periodic signal expires when the next one is due, so that signals do not pile up while no worker
# runs.
_tick = {"schedule": TICK_SECONDS, "options": {"expires": TICK_SECONDS}}
app.conf.beat_schedule = {
    "outbox": {"task": QUEUES[Queue.INTERACTIVE].task, **_tick},
    "outbox-mail": {"task": QUEUES[Queue.MAIL].task, **_tick},
    "outbox-bulk": {"task": QUEUES[Queue.BULK].task, **_tick},
    "periodic-jobs": {"task": JOBS_TASK, "schedule": 30.0, "options": {"expires": 30.0}},
}
app.autodiscover_tasks()
