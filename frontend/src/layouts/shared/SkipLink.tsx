import styles from './Frame.module.css'

/** The first stop of the keyboard on every page. */
export const SkipLink = () => (
  <a className={styles.skip} href="#main">
    跳到主要内容
  </a>
)
