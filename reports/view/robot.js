// The robot's body in three dimensions: the shapes of its MuJoCo model, where the history says they were. Metres; z is up.
import * as THREE from "three";

const POSE = 7; // numbers of a part's pose: position, quaternion (w, x, y, z)

function geometryOf({ kind, size: [a, b, c] }) {
  switch (kind) {
    case "sphere": return new THREE.SphereBufferGeometry(a, 24, 16);
    case "ellipsoid": return new THREE.SphereBufferGeometry(1, 24, 16).scale(a, b, c);
    case "cylinder": return new THREE.CylinderBufferGeometry(a, a, 2 * b, 24).rotateX(Math.PI / 2);
    case "plane": return new THREE.PlaneBufferGeometry(2 * (a || 50), 2 * (b || 50));
    default: return new THREE.BoxBufferGeometry(2 * a, 2 * b, 2 * c);
  }
}

// A capsule is a cylinder between two spheres.
function meshesOf(shape, material) {
  if (shape.kind !== "capsule") return [new THREE.Mesh(geometryOf(shape), material)];
  const [radius, half] = shape.size;
  const ends = [half, -half].map(z => new THREE.SphereBufferGeometry(radius, 24, 16).translate(0, 0, z));
  return [geometryOf({ kind: "cylinder", size: shape.size }), ...ends].map(geometry => new THREE.Mesh(geometry, material));
}

function decodePoses(body) {
  const bytes = Uint8Array.from(atob(body.poses), letter => letter.charCodeAt(0));
  const codes = new DataView(bytes.buffer), numbers = new Float32Array(bytes.length / 2);
  for (let i = 0; i < numbers.length; i++) numbers[i] = codes.getInt16(2 * i, true) / 32767 * (i % POSE < 3 ? body.reach : 1);
  return numbers;
}

function buildParts(body, scene) {
  const parts = body.parts.map(() => new THREE.Group());
  for (const shape of body.shapes) {
    const [red, green, blue, opacity] = shape.colour;
    const material = new THREE.MeshLambertMaterial({ color: new THREE.Color(red, green, blue), opacity, transparent: opacity < 1, side: shape.kind === "plane" ? THREE.DoubleSide : THREE.FrontSide });
    for (const mesh of meshesOf(shape, material)) {
      mesh.position.fromArray(shape.at);
      const [w, x, y, z] = shape.turned;
      mesh.quaternion.set(x, y, z, w);
      mesh.castShadow = shape.kind !== "plane";
      mesh.receiveShadow = shape.kind === "plane";
      parts[shape.part].add(mesh);
    }
  }
  scene.add(...parts);
  return parts;
}

// Between two recorded poses.
function poser(body, parts) {
  const numbers = decodePoses(body), { times } = body, stride = parts.length * POSE;
  const before = new THREE.Quaternion(), after = new THREE.Quaternion();
  return t => {
    let low = 0, high = times.length - 1;
    while (low < high) { // the last one not after t
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle; else high = middle - 1;
    }
    const next = Math.min(low + 1, times.length - 1), gap = times[next] - times[low];
    const share = gap > 0 ? Math.min(Math.max((t - times[low]) / gap, 0), 1) : 0;
    parts.forEach((part, i) => {
      const p = low * stride + i * POSE, q = next * stride + i * POSE;
      for (const [axis, n] of [["x", 0], ["y", 1], ["z", 2]]) part.position[axis] = numbers[p + n] * (1 - share) + numbers[q + n] * share;
      before.set(numbers[p + 4], numbers[p + 5], numbers[p + 6], numbers[p + 3]);
      after.set(numbers[q + 4], numbers[q + 5], numbers[q + 6], numbers[q + 3]);
      THREE.Quaternion.slerp(before, after, part.quaternion, share);
    });
  };
}

// The camera looks at the robot, follows it, and is turned by dragging.
function orbit(canvas, camera, redraw) {
  const look = { turn: 0.9, tilt: 0.25, distance: 2.6, aside: new THREE.Vector3(), at: new THREE.Vector3() };
  const place = () => {
    const flat = look.distance * Math.cos(look.tilt);
    const target = look.at.clone().add(look.aside);
    camera.position.set(target.x + flat * Math.cos(look.turn), target.y + flat * Math.sin(look.turn), target.z + look.distance * Math.sin(look.tilt));
    camera.lookAt(target);
  };
  canvas.onpointerdown = event => canvas.setPointerCapture(event.pointerId);
  canvas.onpointermove = event => {
    if (!event.buttons) return;
    if (event.shiftKey) look.aside.z += event.movementY * 0.004;
    else {
      look.turn -= event.movementX * 0.008;
      look.tilt = Math.min(Math.max(look.tilt + event.movementY * 0.006, -0.1), 1.5);
    }
    redraw();
  };
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    look.distance = Math.min(Math.max(look.distance * Math.exp(event.deltaY * 0.001), 0.4), 30);
    redraw();
  }, { passive: false });
  return { look, place };
}

function light(scene) {
  scene.add(new THREE.HemisphereLight(0xffffff, 0x777777, 0.85));
  const sun = new THREE.DirectionalLight(0xffffff, 0.55);
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -2, right: 2, top: 2, bottom: -2, near: 0.5, far: 12 });
  scene.add(sun, sun.target);
  return sun;
}

export function makeRobot(body, at) {
  const canvas = at("scene");
  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
  } catch {
    at("no-robot").hidden = false;
    at("no-robot").textContent = "The robot is not drawn: this browser has no WebGL.";
    return { move() {} };
  }
  at("robot").hidden = false;
  at("three").hidden = false;
  renderer.shadowMap.enabled = true;
  const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(40, 1, 0.05, 200);
  scene.background = new THREE.Color(0xdfe6ec);
  scene.fog = new THREE.Fog(0xdfe6ec, 8, 24);
  camera.up.set(0, 0, 1);
  const sun = light(scene), parts = buildParts(body, scene), pose = poser(body, parts);
  const grid = new THREE.GridHelper(20, 40, 0x8a949d, 0xb6bec5); // squares of half a metre
  grid.rotation.x = Math.PI / 2;
  grid.position.z = 0.002;
  scene.add(grid);
  const { look, place } = orbit(canvas, camera, () => render());
  function render() {
    const { clientWidth: width, clientHeight: height } = canvas;
    renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    place();
    renderer.render(scene, camera);
  }
  window.addEventListener("resize", render);
  return { move(t) {
    pose(t);
    const root = parts[Math.min(1, parts.length - 1)].position; // the first body below the world
    look.at.set(root.x, root.y, 0.62);
    sun.position.set(root.x + 2, root.y - 1.5, 4.5);
    sun.target.position.set(root.x, root.y, 0);
    sun.target.updateMatrixWorld();
    render();
  } };
}
