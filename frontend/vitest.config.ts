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
    // A busy machine is slow, not wrong: waiting ends with the fact, not with the clock.
    testTimeout: 30_000,
    maxWorkers: 2,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
