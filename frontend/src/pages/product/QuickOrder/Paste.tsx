import { Button } from '@/ui/Button'
import { Textarea } from '@/ui/Field'
import styles from './quick.module.css'

const EXAMPLE =
  '每行一种商品，写法不限，例如：\n110001  2\n中性笔 黑色 3盒\n5包 A4复印纸\nZY-1103 x10（前台）\n也可以直接粘贴 Excel、邮件或聊天记录'

/** The text area to paste a whole order. */
export default function Paste({
  text,
  isBusy,
  onText,
  onSubmit,
}: {
  text: string
  isBusy: boolean
  onText: (text: string) => void
  onSubmit: () => void
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <Textarea
        aria-label="粘贴商品和数量"
        rows={9}
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      <div className={styles.acts}>
        <span className={styles.tip}>最多 10,000 行；重复的商品会合并，不确定的会请您选择</span>
        <Button type="submit" look="primary" loading={isBusy} disabled={!text.trim()}>
          识别商品
        </Button>
      </div>
    </form>
  )
}
