"""AI 采购助手: which model answers, where there is one, and how much may be asked."""

import environ

env = environ.Env()

# Base address of an OpenAI-compatible API (with /chat/completions). If empty, the embedded
# assistant
# answers.
ASSISTANT_BASE_URL: str = env("ASSISTANT_BASE_URL", default="")
ASSISTANT_API_KEY: str = env("ASSISTANT_API_KEY", default="")
ASSISTANT_MODEL: str = env("ASSISTANT_MODEL", default="deepseek-chat")
# If the model sends nothing for this time, the embedded assistant answers instead.
ASSISTANT_SILENCE_SECONDS: float = env.float("ASSISTANT_SILENCE_SECONDS", default=30.0)
# Parallel streamed answers per web process. Each occupies a server thread until it ends.
ASSISTANT_STREAMS: int = env.int("ASSISTANT_STREAMS", default=4)
# Questions per account; 0 means no limit.
ASSISTANT_PER_MINUTE: int = env.int("ASSISTANT_PER_MINUTE", default=12)
ASSISTANT_PER_DAY: int = env.int("ASSISTANT_PER_DAY", default=300)
