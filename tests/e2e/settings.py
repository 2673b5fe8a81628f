"""The settings of the journeys' servers: those of `make serve`, with passwords that cost no time.

Argon2 takes about half a second of processor per sign-in by design. The demo's passwords are stored
by it; the first sign-in of an account replaces them.
"""

from mall.settings.base import PASSWORD_HASHERS as SAFE_HASHERS
from mall.settings.dev import *

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *SAFE_HASHERS]
