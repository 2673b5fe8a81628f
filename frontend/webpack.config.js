import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import BundleTracker from 'webpack-bundle-tracker'
import { ChunkGroupsPlugin, routesOf } from './build/chunkGroups.js'

const here = path.dirname(fileURLToPath(import.meta.url))
const output = path.resolve(here, '../static/app')

// The default entry of react-router is its development build with warnings.
const router = path.join(here, 'node_modules/react-router/dist/production')
const quietRouter = {
  'react-router$': path.join(router, 'index.mjs'),
  'react-router/dom$': path.join(router, 'dom-export.mjs'),
}

const ANTD = /[\\/]node_modules[\\/](antd|@ant-design|@rc-component|rc-[\w-]+|dayjs)[\\/]/
const SELDOM =
  /[\\/](antd[\\/]es|@rc-component)[\\/](alert|badge|drawer|progress|segmented|space|tree-select)[\\/]/
const ROUTER = path.join(here, 'src/app/router.tsx')
// Its rows come first, because the other table ends with the catch-all address.
const USER_CENTRE = path.join(here, 'src/app/userCenterRows.tsx')
const EVERY_PAGE = /^(react|main|runtime)\./
const HEADER = 'layout-default'
const pagesOf = (layout) =>
  routesOf(fs.readFileSync(ROUTER, 'utf8'))
    .filter((route) => route.layout === layout)
    .map(({ chunk }) => chunk)

/** One bundle. Every screen is a named chunk. */
export default (_env, argv) => {
  const production = argv.mode === 'production'
  const name = production ? '[name].[contenthash:8]' : '[name]'
  // The runtime in every page names the chunks by number. All of them share the hash of the build,
  // because a table of their own hashes would be 1.5 KB (gz) of every first visit.
  const chunkName = production ? '[id].[fullhash:6]' : '[name]'
  const withHeader = new Set([HEADER, 'layout-userCenter', ...pagesOf('default')])
  const hashed = production ? '[contenthash:8]' : '[name]'

  return {
    entry: { main: path.join(here, 'src/main.tsx') },
    context: here,
    output: {
      path: output,
      publicPath: '/static/app/',
      filename: `${name}.js`,
      chunkFilename: `${chunkName}.js`,
      assetModuleFilename: `asset/${hashed}[ext]`,
      chunkLoadTimeout: 120_000,
      hashFunction: 'xxhash64',
    },
    resolve: {
      extensions: ['.tsx', '.ts', '.js'],
      alias: { '@': path.join(here, 'src'), ...(production ? quietRouter : {}) },
    },
    // A source map without eval, because the page's CSP forbids it.
    devtool: production ? false : 'cheap-module-source-map',
    module: {
      rules: [
        {
          test: /\.tsx?$/,
          exclude: /node_modules/,
          loader: 'swc-loader',
          options: {
            jsc: {
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic', development: !production } },
              target: 'es2021',
            },
          },
        },
        {
          test: /\.css$/,
          use: [
            MiniCssExtractPlugin.loader,
            {
              loader: 'css-loader',
              options: {
                modules: {
                  auto: /\.module\.css$/,
                  namedExport: false,
                  exportLocalsConvention: 'as-is',
                  localIdentName: production ? '[hash:base64:6]' : '[name]_[local]',
                },
              },
            },
          ],
        },
        { test: /\.(svg|png|webp|woff2)$/, type: 'asset/resource' },
      ],
    },
    optimization: {
      moduleIds: 'deterministic',
      chunkIds: 'deterministic',
      runtimeChunk: 'single',
      splitChunks: {
        chunks: 'all',
        // A smaller shared chunk is not worth an extra request.
        minSize: 40_000,
        cacheGroups: {
          react: {
            name: 'react',
            test: /[\\/]node_modules[\\/](react|react-dom|react-router|react-router-dom|scheduler|@tanstack)[\\/]/,
            chunks: 'all',
            priority: 20,
          },
          // The layout with the search header as one chunk: its pages and the user centre need all
          // of it, the shop's steps nothing of it.
          header: {
            name: 'header',
            test: (module, { chunkGraph }) =>
              [...chunkGraph.getModuleChunksIterable(module)].some(({ name }) => name === HEADER),
            chunks: ({ name }) => withHeader.has(name),
            enforce: true,
            priority: 10,
          },
          // antd as one chunk, without the components that few screens use. It is large and changes
          // seldom, so it keeps a hash of its own.
          antd: {
            name: 'antd',
            filename: `${name}.js`,
            test: ({ resource = '' }) => ANTD.test(resource) && !SELDOM.test(resource),
            chunks: 'async',
            priority: 15,
          },
        },
      },
      minimizer: [
        // Terser saves half a kilobyte in the files of every page, so its time is worth it there.
        new TerserPlugin({
          test: EVERY_PAGE,
          extractComments: false,
          terserOptions: { ecma: 2020, compress: { passes: 2 }, format: { comments: false } },
        }),
        new TerserPlugin({
          exclude: EVERY_PAGE,
          minify: TerserPlugin.swcMinify,
          extractComments: false,
          terserOptions: { compress: true, mangle: true },
        }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({
        filename: `${name}.css`,
        chunkFilename: `${chunkName}.css`,
        ignoreOrder: true,
      }),
      new BundleTracker({ path: output, filename: 'webpack-stats.json' }),
      new ChunkGroupsPlugin({ tables: [USER_CENTRE, ROUTER] }),
    ],
    cache: {
      type: 'filesystem',
      cacheDirectory: path.join(here, '.cache'),
      buildDependencies: { config: [fileURLToPath(import.meta.url)] },
    },
    performance: { hints: false },
    stats: 'errors-warnings',
  }
}
