/**
 * The web console: serves its built pages below `/console/`, and signs browsers in. It does not depend on the API: the
 * pages use the API like any client. Their sources are in the folder `console/` of the package.
 */
export { Console, type ConsoleOptions } from './console.ts';
export { withConsoleRights } from './console-rights.ts';
export { signInPath } from './link-endpoint.ts';
export type { SignIn } from './sign-in.ts';
export { OwnSignIns, type SignIns } from './sign-ins.ts';
