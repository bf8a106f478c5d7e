/** Prints the prepared default objects (`src/server/default-objects.ts`), which the bundler writes beside the bundle. */
import { preparedObjects } from '../src/registry/index.ts';
import { startServer } from '../src/server/index.ts';

const server = await startServer({ storage: 'memory', securePort: 0, controllers: [] });
await server.stop();
process.stdout.write(JSON.stringify(preparedObjects()));
