/** `npm run test:differential`: compares two servers with generated requests (`test/differential`). */
import { differentialCommand } from '../test/differential/command.ts';

process.exitCode = await differentialCommand(process.argv.slice(2), console.log);
