// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestToken} from "./TestToken.sol";

/// @notice Returns false for senders that anyone can refuse.
contract FalseToken is TestToken {
    mapping(address account => bool) public isRefused;

    function setRefused(address account, bool refused) external {
        isRefused[account] = refused;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        if (isRefused[msg.sender]) return false;
        _move(msg.sender, to, amount);
        return true;
    }
}
