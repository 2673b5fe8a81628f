"""On one's own machine, and the default of `make serve`."""

from mall.settings.base import *
from mall.settings.base import env

DEBUG = env.bool("DEBUG", default=False)
