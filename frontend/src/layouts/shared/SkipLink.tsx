import styles from './Frame.module.css'

/** The first focusable element on every page. */
export const SkipLink = () => (
  <a className={styles.skip} href="#main">
    跳到主要内容
  </a>
)
