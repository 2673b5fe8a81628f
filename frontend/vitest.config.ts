import path from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': path.resolve(import.meta.dirname, 'src') } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://mall.test/' } },
    setupFiles: ['src/test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'build/*.test.js'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    // A loaded machine is slow, so the time limit is high.
    testTimeout: 30_000,
    maxWorkers: 2,
    // One worker runs many files and loads the libraries once: antd, React and MSW take most of a
    // file's time. Our own modules are
    // loaded per file, and setup.ts resets the document, the storage and the shell.
    pool: 'threads',
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
