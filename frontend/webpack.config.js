import path from 'node:path'
import { fileURLToPath } from 'node:url'
import CssMinimizerPlugin from 'css-minimizer-webpack-plugin'
import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import TerserPlugin from 'terser-webpack-plugin'
import BundleTracker from 'webpack-bundle-tracker'
import { ChunkGroupsPlugin } from './build/chunkGroups.js'

const here = path.dirname(fileURLToPath(import.meta.url))
const output = path.resolve(here, '../static/app')

/** One storefront bundle; every screen is its own named chunk. */
export default (_env, argv) => {
  const production = argv.mode === 'production'
  const name = production ? '[name].[contenthash:10]' : '[name]'
  const hashed = production ? '[contenthash:10]' : '[name]'

  return {
    entry: { main: path.join(here, 'src/main.tsx') },
    context: here,
    output: {
      path: output,
      publicPath: '/static/app/',
      filename: `${name}.js`,
      chunkFilename: `${name}.js`,
      assetModuleFilename: `asset/${hashed}[ext]`,
      chunkLoadTimeout: 120_000,
      hashFunction: 'xxhash64',
    },
    resolve: { extensions: ['.tsx', '.ts', '.js'], alias: { '@': path.join(here, 'src') } },
    // A source map that needs no eval, since the page's policy forbids it.
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
        cacheGroups: {
          react: {
            name: 'react',
            test: /[\\/]node_modules[\\/](react|react-dom|react-router|react-router-dom|scheduler|@tanstack)[\\/]/,
            chunks: 'all',
            priority: 20,
          },
          // Everything of the desk kit comes in one piece: it is only ever wanted together.
          antd: {
            name: 'antd',
            test: /[\\/]node_modules[\\/](antd|@ant-design|@rc-component|rc-[\w-]+|dayjs)[\\/]/,
            chunks: 'async',
            priority: 15,
          },
        },
      },
      minimizer: [
        new TerserPlugin({ minify: TerserPlugin.swcMinify, extractComments: false, terserOptions: { compress: true, mangle: true } }),
        new CssMinimizerPlugin({ minify: CssMinimizerPlugin.lightningCssMinify }),
      ],
    },
    plugins: [
      new MiniCssExtractPlugin({ filename: `${name}.css`, chunkFilename: `${name}.css`, ignoreOrder: true }),
      new BundleTracker({ path: output, filename: 'webpack-stats.json' }),
      new ChunkGroupsPlugin({ router: path.join(here, 'src/app/router.tsx') }),
    ],
    cache: { type: 'filesystem', cacheDirectory: path.join(here, '.cache'), buildDependencies: { config: [fileURLToPath(import.meta.url)] } },
    performance: { hints: false },
    stats: 'errors-warnings',
  }
}
