import { Icon, type IconName } from '@/ui/Icon'
import styles from './deepseek.module.css'

const SUGGESTIONS: readonly [IconName, string, string][] = [
  ['search', '找商品', '20 元以内的黑色中性笔'],
  ['list', '列清单', '列一个 10 人会议用品清单'],
  ['gift', '做方案', '给 12 个新员工准备入职礼包，预算 3000 元'],
  ['truck', '查订单', '我最近的订单到哪了'],
  ['wallet', '看预算', '预算还剩多少'],
  ['info', '问售后', '怎么退货'],
]

/** The welcome screen: the purpose of the assistant, and example questions. */
export const Welcome = ({
  nickname,
  readOnly,
  onAsk,
}: {
  nickname: string
  readOnly: boolean
  onAsk: (text: string) => void
}) => (
  <section className={styles.welcome} aria-label="开始咨询">
    <span className={styles.big}>
      <Icon name="spark" size={32} />
    </span>
    <h2>您好，{nickname}，需要采购什么？</h2>
    <p>我按您的账号权限查询商品、订单、预算和帮助内容；加入购物车前会先请您确认。</p>
    {!readOnly && (
      <ul>
        {SUGGESTIONS.map(([icon, title, text]) => (
          <li key={text}>
            <button type="button" onClick={() => onAsk(text)}>
              <Icon name={icon} />
              <span>
                <b>{title}</b>
                {text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    )}
  </section>
)
