import { MessageThread } from '@/desk/MessageThread'
import { useMessage, type ReturnDetail } from '@/domain/returns/returns'

const ENDED = new Set(['rejected', 'completed', 'withdrawn'])

/** The messages and pictures. A person who may act on the return may write. */
export function Conversation({ data }: { data: ReturnDetail }) {
  const message = useMessage(data.ReturnOrderId)
  return (
    <MessageThread
      messages={data.Messages}
      emptyText={
        ENDED.has(data.Status)
          ? '没有留言。对处理结果有疑问，可以在这里联系客服。'
          : '还没有留言。补充照片、改约取件时间，都可以在这里告诉客服。'
      }
      canWrite={data.AllowedActions.includes('message')}
      hasPictures
      isSending={message.isPending}
      onSend={(newMessage, onSent) => message.mutate(newMessage, { onSuccess: onSent })}
    />
  )
}
