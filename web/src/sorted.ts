/** What a map has for a key, which is made when it is asked for first. */
export function cached<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
    let value = map.get(key);
    if (value === undefined) map.set(key, (value = make()));
    return value;
}
/** The last of `count` places at which a rising number is at most `most`; -1 if there is none. */
export function lastAtMost(count: number, number: (place: number) => number, most: number): number {
    let [low, high] = [-1, count - 1];
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (number(middle) <= most) low = middle;
        else high = middle - 1;
    }
    return low;
}
/** The same in a sorted list. */
export const lastUpTo = (sorted: ArrayLike<number>, most: number) => lastAtMost(sorted.length, (place) => sorted[place]!, most);
