import { hostileBodies } from './hostile-bodies.ts';
import { hostileDefinitions } from './hostile-definitions.ts';
import { hostileEncodings } from './hostile-encodings.ts';
import { hostileExpressions } from './hostile-expressions.ts';
import { hostilePatches } from './hostile-patches.ts';
import { hostileQueries } from './hostile-queries.ts';
import type { HostileRequest } from './hostile-request.ts';

/** All hostile requests. The last queries delete the initial objects of the server. */
export const hostileRequests: readonly HostileRequest[] = [
  ...hostileBodies,
  ...hostileDefinitions,
  ...hostileEncodings,
  ...hostileExpressions,
  ...hostilePatches,
  ...hostileQueries,
];
