from apps.assistant.models.conversation import Conversation, Message
from apps.assistant.models.proposal import CartProposal
from apps.assistant.models.usage import AssistantUsage

__all__ = ["AssistantUsage", "CartProposal", "Conversation", "Message"]
