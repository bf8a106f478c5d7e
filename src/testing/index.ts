/**
 * The library `keelson/testing`: servers for the tests of controllers and other clients. A test server is the normal
 * server with additional controls; it never behaves differently. Features that users of a running server also need do
 * not belong here.
 */
export { ApiError, Client, type ResourceClient, type ResourceReference, type WatchEvent } from '../client/index.ts';
export type { FaultAction, FaultRule, FaultStatus, InjectedFault, RequestMatch } from '../fault-injection/index.ts';
export type { Clock } from '../meta/clock.ts';
export type { ObjectMeta, ResourceObject } from '../meta/object.ts';
export type { QuietOptions } from './activity.ts';
export { jestEnvironment } from './jest-environment.ts';
export { ManualClock } from './manual-clock.ts';
export type { ChangedObject, Report } from './report.ts';
export type { PastRequest } from './request-history.ts';
export type { RestoreOptions, Snapshot } from './snapshot.ts';
export { type ForkOptions, startTestServer, type TestServer, type TestServerOptions } from './test-server.ts';
export type { FileServerOptions } from './tested-file.ts';
export { type TestHooks, type TestKit, type UseTestServerOptions, useTestServer } from './use-test-server.ts';
