/** The entry point of the command line. The storage thread starts while the rest of the program is loaded. */
import { startStoreThread } from '../storage/embedded/store-thread.ts';

const [command, ...flags] = process.argv.slice(2);
/** With one of these flags, the server may use another store or exit at once. */
const decidingFlags = ['--storage', '--config', '--from-snapshot', '--help', '-h'];

const isServer = command === 'serve' && !flags.some((flag) => decidingFlags.some((name) => flag.startsWith(name)));
if (isServer) startStoreThread();
// The bundled program consists of scripts, which cannot await at their top level.
void import('./commands.ts').then(({ runCommand }) => runCommand(process.argv.slice(2)));
