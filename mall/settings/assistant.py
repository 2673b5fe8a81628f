"""AI 采购助手: which model answers, where there is one, and how much may be asked."""

import environ

env = environ.Env()

# Any OpenAI-compatible address with /chat/completions below it; without one the embedded assistant answers.
ASSISTANT_BASE_URL: str = env("ASSISTANT_BASE_URL", default="")
ASSISTANT_API_KEY: str = env("ASSISTANT_API_KEY", default="")
ASSISTANT_MODEL: str = env("ASSISTANT_MODEL", default="deepseek-chat")
# A model that says nothing for so long is away: the embedded assistant takes over.
ASSISTANT_SILENCE_SECONDS: float = env.float("ASSISTANT_SILENCE_SECONDS", default=30.0)
# Of each web process: how many answers are streamed at once. Each takes a thread of the server for as long as it lasts.
ASSISTANT_STREAMS: int = env.int("ASSISTANT_STREAMS", default=4)
# Questions of an account; 0 is no limit.
ASSISTANT_PER_MINUTE: int = env.int("ASSISTANT_PER_MINUTE", default=12)
ASSISTANT_PER_DAY: int = env.int("ASSISTANT_PER_DAY", default=300)
