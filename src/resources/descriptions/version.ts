import type { TypeTexts } from './type-texts.ts';

export const version: TypeTexts = {
  Info: {
    '': 'Which version of the API the server speaks, and how the server was built.',
    major: 'Major version of the API.',
    minor: 'Minor version of the API.',
    emulationMajor: 'Major version that the server behaves like.',
    emulationMinor: 'Minor version that the server behaves like.',
    minCompatibilityMajor: 'Major version of the oldest release that the server stays compatible with.',
    minCompatibilityMinor: 'Minor version of the oldest release that the server stays compatible with.',
    gitVersion: 'Full version, beginning with `v`.',
    gitCommit: 'Commit that the server was built from.',
    gitTreeState: 'Whether the source had uncommitted changes: clean or dirty.',
    buildDate: 'When the server was built.',
    goVersion: 'Version of the runtime that executes the server.',
    compiler: 'What executes the code of the server.',
    platform: 'Operating system and architecture that the server runs on.',
  },
};
