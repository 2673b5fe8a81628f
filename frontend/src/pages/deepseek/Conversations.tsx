import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatTime } from '@/lib/time'
import { Button } from '@/ui/Button'
import { cx } from '@/ui/cx'
import { Dialog } from '@/ui/Dialog'
import { Field, Input } from '@/ui/Field'
import { Icon } from '@/ui/Icon'
import { Skeleton } from '@/ui/States'
import { conversations, useDeleteConversation, useRename, type ConversationRow } from './api'
import styles from './deepseek.module.css'

interface Props {
  uid: string
  current: string | null
  readOnly: boolean
  onOpen: (id: string | null) => void
}

/** The user's conversations, latest first. They can be renamed and deleted here. */
export function Conversations({ uid, current, readOnly, onOpen }: Props) {
  const { data, isError } = useQuery(conversations(uid))
  const rename = useRename(uid)
  const remove = useDeleteConversation(uid)
  const [renaming, setRenaming] = useState<ConversationRow | null>(null)
  const [removing, setRemoving] = useState<ConversationRow | null>(null)
  return (
    <nav className={styles.list} aria-label="对话列表">
      {!readOnly && (
        <Button wide icon="plus" look="tint" onClick={() => onOpen(null)}>
          新对话
        </Button>
      )}
      <ul>
        {!data &&
          !isError &&
          [0, 1, 2].map((row) => (
            <li key={row}>
              <Skeleton height={40} />
            </li>
          ))}
        {isError && <li className={styles.none}>对话列表没有加载出来</li>}
        {data?.Items.length === 0 && <li className={styles.none}>还没有对话</li>}
        {data?.Items.map((row) => (
          <li key={row.Id} className={cx(styles.item, row.Id === current && styles.open)}>
            <button type="button" aria-current={row.Id === current} onClick={() => onOpen(row.Id)}>
              <span>{row.Title}</span>
              <small>{formatTime(row.LastAt)}</small>
            </button>
            {!readOnly && (
              <>
                <button
                  type="button"
                  aria-label={`重命名 ${row.Title}`}
                  onClick={() => setRenaming(row)}
                >
                  <Icon name="edit" size={16} />
                </button>
                <button
                  type="button"
                  aria-label={`删除 ${row.Title}`}
                  onClick={() => setRemoving(row)}
                >
                  <Icon name="trash" size={16} />
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      <Dialog
        title="重命名对话"
        open={renaming !== null}
        onClose={() => setRenaming(null)}
        footer={
          <Button
            look="primary"
            loading={rename.isPending}
            disabled={!renaming?.Title.trim()}
            onClick={() =>
              renaming &&
              rename.mutate(
                { Id: renaming.Id, Title: renaming.Title.trim() },
                { onSuccess: () => setRenaming(null) },
              )
            }
          >
            保存
          </Button>
        }
      >
        <Field label="对话名称">
          <Input
            maxLength={60}
            value={renaming?.Title ?? ''}
            onChange={(event) => setRenaming((row) => row && { ...row, Title: event.target.value })}
          />
        </Field>
      </Dialog>
      <Dialog
        title="删除对话"
        open={removing !== null}
        onClose={() => setRemoving(null)}
        footer={
          <Button
            look="danger"
            loading={remove.isPending}
            onClick={() =>
              removing &&
              remove.mutate(removing.Id, {
                onSuccess: () => {
                  setRemoving(null)
                  if (removing.Id === current) onOpen(null)
                },
              })
            }
          >
            删除
          </Button>
        }
      >
        删除后不能恢复，已加入购物车的商品不受影响。确定删除“{removing?.Title}”吗？
      </Dialog>
    </nav>
  )
}
