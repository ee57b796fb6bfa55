// gd-com (npm) on the Godot 3 bytes that it reads correctly: checked against gdvar's plain JSON, then timed.
// Usage: node gdcom.js FOLDER: for each workload NAME.g3 (a packet) and NAME.json. Lines as the engine's.
const fs = require('fs');
const path = require('path');
const {GdBuffer} = require('gd-com');

// Vectors are objects here, Arrays in the JSON, whose digits are those of single precision.
function same(ours, theirs) {
    if (Array.isArray(ours) && theirs && !Array.isArray(theirs) && typeof theirs === 'object')
        theirs = Object.values(theirs);
    if (typeof ours === 'number' && typeof theirs === 'number')
        return ours === theirs || Math.fround(ours) === Math.fround(theirs);
    if (ours === null || typeof ours !== 'object') return ours === theirs;
    if (!theirs || typeof theirs !== 'object') return false;
    const keys = Object.keys(ours);
    return keys.length === Object.keys(theirs).length && keys.every((key) => same(ours[key], theirs[key]));
}

const folder = process.argv[2];
for (const file of fs.readdirSync(folder).filter((name) => name.endsWith('.g3')).sort()) {
    const name = path.basename(file, '.g3');
    const packet = fs.readFileSync(path.join(folder, file));
    const wanted = JSON.parse(fs.readFileSync(path.join(folder, name + '.json')));
    const godot4 = fs.statSync(path.join(process.argv[3], name + '.bin')).size;
    let value;
    try {
        value = new GdBuffer(Buffer.from(packet)).getVar();
    } catch (error) {
        console.log(`${name.padEnd(14)} not read: ${error.message}`);
        continue;
    }
    if (!same(wanted, value)) {
        console.log(`${name.padEnd(14)} read wrongly`);
        continue;
    }
    const rate = (work) => {
        for (let i = 0; i < 3; ++i) work();
        const start = process.hrtime.bigint();
        let times = 0;
        while (process.hrtime.bigint() - start < 300000000n) {
            work();
            ++times;
        }
        const seconds = Number(process.hrtime.bigint() - start) / 1e9;
        return (godot4 * times / seconds / 1e6).toFixed(1);
    };
    const decoded = rate(() => new GdBuffer(Buffer.from(packet)).getVar());
    let encoded = '-';
    try {
        encoded = rate(() => new GdBuffer().putVar(value));
    } catch (error) { /* it can't write what it read */ }
    console.log(`${name.padEnd(14)} decode ${decoded} MB/s, encode ${encoded} MB/s (of Godot 4's bytes)`);
}
