"""The settings of the journeys' servers: those of `make serve`, with passwords that cost no time.

Argon2 takes a third of a second of processor per sign-in by design. The copies of the demo data
have the passwords by MD5 (`database.py`).
"""

from mall.settings.base import PASSWORD_HASHERS as SAFE_HASHERS
from mall.settings.dev import *

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *SAFE_HASHERS]
