from apps.assistant.models.conversation import AssistantUsage, CartProposal, Conversation, Message

__all__ = ["AssistantUsage", "CartProposal", "Conversation", "Message"]
