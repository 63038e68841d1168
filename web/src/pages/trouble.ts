// Why a page has nothing to show: what stands between it and the daemon, as a message of the pages.
import type { Bus } from "../bus";
import type { NodeStatus } from "../match";
import type { Key } from "../text";

/** Attempts, a second apart, after which a daemon that does not answer is said to be away. */
export const VAIN_ATTEMPTS = 4;

/** Undefined without an error, and at first, while the page is connecting. */
export function troubleOf(bus: Bus, node: string): Key | undefined {
  if (!bus.connected) {
    if (bus.brokerAway) return "trouble.broker";
    return bus.vain >= VAIN_ATTEMPTS ? "trouble.daemon" : undefined;
  }
  const online = bus.read<NodeStatus>(`oche/${node}/status`)?.state === "online";
  return bus.settled && !online ? "trouble.node" : undefined;
}
