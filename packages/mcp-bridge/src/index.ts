/** The MCP bridge as a library: in your own server, or in tests. */
export type { Bridge } from './bridge.ts';
export { type BridgeOptions, createBridge } from './create-bridge.ts';
export type { HttpOptions } from './http-options.ts';
export { type RunningHttp, serveHttp } from './serve-http.ts';
export { serveBridgeOverStdio } from './serve-stdio.ts';
export { createServerFactory } from './server/bridge-server.ts';
export {
  readSettings,
  SettingError,
  type Settings,
  type SettingValues,
  TOOLSETS,
} from './settings.ts';
export { VERSION } from './version.ts';
