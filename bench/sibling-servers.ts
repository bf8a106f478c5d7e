/**
 * Several servers in one process, so that they share the machine code that V8 makes of the program. Two processes would
 * differ by more than what is compared. Reports their addresses over the IPC channel.
 */
import type { Server, ServerOptions } from '../src/index.ts';
import type { SiblingsReady } from './fixtures/sibling-servers.ts';

const { SIBLINGS_PROGRAM: program, SIBLINGS_OPTIONS: options } = process.env;
// The built server, as users run it.
const { startServer } = (await import(program!)) as { startServer: (options: ServerOptions) => Promise<Server> };
const ready: SiblingsReady[] = [];
for (const each of JSON.parse(options!) as ServerOptions[]) {
  const { url, kubeconfig } = await startServer(each);
  ready.push({ url, kubeconfig });
}
process.send!(ready);
