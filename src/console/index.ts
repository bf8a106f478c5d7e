/**
 * The web console: serves its built pages below `/console/`, and signs browsers in. It knows nothing of the API: the pages
 * use it as any client does. Their sources are in the folder `console/` of the package.
 */
export { Console, type ConsoleOptions, signInPath } from './console.ts';
export { OwnSignIns, type SignIns } from './sign-ins.ts';
