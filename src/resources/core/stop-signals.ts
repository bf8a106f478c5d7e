const named =
  `ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT SEGV STKFLT STOP SYS TERM TRAP
  TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ`.split(/\s+/);
const afterFirst = Array.from({ length: 15 }, (_, index) => `RTMIN+${index + 1}`);
const beforeLast = Array.from({ length: 14 }, (_, index) => `RTMAX-${14 - index}`);

/** Valid stop signals of a container: the named ones, and the real-time ones relative to RTMIN and RTMAX. */
export const stopSignals = [...named, 'RTMIN', ...afterFirst, ...beforeLast, 'RTMAX'].map((name) => `SIG${name}`);
