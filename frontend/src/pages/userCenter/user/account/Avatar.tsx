import { Button } from 'antd'
import { useRef, useState, type ChangeEvent } from 'react'
import { showError } from '@/api/call'
import { upload, type FileRules } from '@/api/upload'
import { useChangeProfile, type Profile } from '@/domain/account/profile'
import { toast } from '@/ui/toast'
import styles from './account.module.css'

const RULES: FileRules = {
  types: ['image/*'],
  maxMb: 2,
  typeMessage: '请上传图片文件',
  maxMessage: '图片大小不能超过2MB',
}

/** The user's picture, or the first letter of his name. A new picture is saved at once. */
export function Avatar({ of: { Avatar: url, NickName } }: { of: Profile }) {
  const input = useRef<HTMLInputElement>(null)
  const change = useChangeProfile()
  const [isSending, setSending] = useState(false)
  const saveAvatar = (FileId: string | null): void =>
    change.mutate(
      { Avatar: FileId },
      { onSuccess: () => toast.success(FileId ? '头像已更新' : '头像已移除'), onError: showError },
    )
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    setSending(true)
    upload(file, { rules: RULES })
      .then((kept) => kept && saveAvatar(kept.FileId))
      // upload() shows the error.
      .catch(() => undefined)
      .finally(() => setSending(false))
  }
  return (
    <div className={styles.avatar}>
      {url ? (
        <img src={url} alt="我的头像" width={96} height={96} />
      ) : (
        <span aria-hidden>{NickName.slice(0, 1)}</span>
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label="选择头像图片"
        hidden
        onChange={choose}
      />
      <Button
        size="small"
        loading={isSending || change.isPending}
        onClick={() => input.current?.click()}
      >
        {url ? '更换头像' : '上传头像'}
      </Button>
      {url && (
        <Button size="small" type="link" onClick={() => saveAvatar(null)}>
          移除
        </Button>
      )}
      <small>支持 JPG、PNG、WebP，不超过 2MB</small>
    </div>
  )
}
