/** `npm run check:start`: starts the server of this checkout once, as a user does, with its default data directory. */
import { join } from 'node:path';
import { startOnce } from './start-once.ts';

await startOnce(['npm', 'start', '--'], { directory: join(import.meta.dirname, '..') });
