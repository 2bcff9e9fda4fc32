// How a clock shows its time.

/** Minutes and seconds; tenths near the end. */
export function clockText(left: number): string {
  const seconds = Math.max(0, left) / 1000;
  if (seconds < 20) return `0:${seconds.toFixed(1).padStart(4, '0')}`;
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, '0');
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}
