import { hostileBodies } from './hostile-bodies.ts';
import { hostileDefinitions } from './hostile-definitions.ts';
import { hostileEncodings } from './hostile-encodings.ts';
import { hostileExpressions } from './hostile-expressions.ts';
import { hostilePatches } from './hostile-patches.ts';
import { hostileQueries } from './hostile-queries.ts';
import type { HostileRequest } from './hostile-request.ts';

/** The whole table. The last queries delete what the server began with. */
export const hostileRequests: readonly HostileRequest[] = [
  ...hostileBodies,
  ...hostileDefinitions,
  ...hostileEncodings,
  ...hostileExpressions,
  ...hostilePatches,
  ...hostileQueries,
];
