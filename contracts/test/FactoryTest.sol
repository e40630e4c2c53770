// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Factory} from "../src/Factory.sol";
import {Vm} from "./Vm.sol";

/// @notice A factory, a destination and what tests do with them.
abstract contract FactoryTest {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    address internal constant NATIVE = address(0);
    address internal constant DESTINATION = address(0xD0D0);
    address internal constant STRANGER = address(0x5747);

    Factory internal factory;

    function setUp() public virtual {
        factory = new Factory();
    }

    /// @return The salts 1 to count.
    function _salts(uint256 count) internal pure returns (bytes32[] memory) {
        bytes32[] memory salts = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            salts[i] = bytes32(i + 1);
        }
        return salts;
    }

    function _wallet(uint256 salt) internal view returns (address) {
        return factory.addressOf(DESTINATION, bytes32(salt));
    }

    /// @notice Sweeps the wallets of the salts 1 to count, called by a stranger.
    function _sweep(uint256 count, address token) internal returns (uint256) {
        vm.prank(STRANGER);
        return factory.sweep(DESTINATION, _salts(count), token);
    }

    function _send(address to, uint256 amount) internal returns (bool success) {
        vm.deal(address(this), amount);
        (success,) = to.call{value: amount}("");
    }
}
